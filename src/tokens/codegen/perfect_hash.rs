//! A perfect hash function for a fixed set of keys: hash and displace with one pilot per bucket.
//!
//! Belazzougui, Botelho, Dietzfelbinger: "Hash, displace, and compress" (ESA 2009); the pilots are those of Pibiri
//! and Trani, "`PTHash`: Revisiting FCH Minimal Perfect Hashing" (SIGIR 2021).

use super::layout::{bucket, slot};

/// Average number of keys per bucket: more saves pilots and costs build time.
const BUCKET_SIZE: f64 = 3.5;
/// Share of the slots that hold a key: more saves space and costs build time.
const LOAD: f64 = 0.97;

pub struct PerfectHash {
    pub pilots: Vec<u16>,
    /// The index of the key in each slot; `None` is an empty slot.
    pub slots: Vec<Option<usize>>,
}

impl PerfectHash {
    /// Places keys, given by their hashes, so that no two share a slot.
    ///
    /// # Panics
    /// Panics if no pilot places some bucket: two keys have one hash, or the load is too high.
    pub fn of(hashes: &[u64]) -> Self {
        let bucket_count = (hashes.len() as f64 / BUCKET_SIZE).ceil() as usize;
        let mut buckets = vec![Vec::new(); bucket_count];
        for (key, &hash) in hashes.iter().enumerate() {
            buckets[bucket(hash, bucket_count)].push(key);
        }
        let mut fullest_first: Vec<usize> = (0..bucket_count).collect();
        fullest_first.sort_by_key(|&bucket| std::cmp::Reverse(buckets[bucket].len()));

        let slot_count = (hashes.len() as f64 / LOAD).ceil() as usize;
        let mut placed = Self { pilots: vec![0; bucket_count], slots: vec![None; slot_count] };
        for bucket in fullest_first {
            placed.pilots[bucket] = placed.place(&buckets[bucket], hashes);
        }
        placed
    }

    /// Finds a pilot that sends all keys of a bucket to free slots, takes the slots and returns the pilot.
    fn place(&mut self, keys: &[usize], hashes: &[u64]) -> u16 {
        let mut targets = Vec::with_capacity(keys.len());
        for pilot in 0..=u16::MAX {
            targets.clear();
            for &key in keys {
                let target = slot(hashes[key], pilot, self.slots.len());
                if self.slots[target].is_some() || targets.contains(&target) {
                    break;
                }
                targets.push(target);
            }
            if targets.len() == keys.len() {
                for (&key, &target) in keys.iter().zip(&targets) {
                    self.slots[target] = Some(key);
                }
                return pilot;
            }
        }
        panic!("no pilot places a bucket of {} keys", keys.len());
    }
}
