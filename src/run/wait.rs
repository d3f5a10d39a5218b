//! Sleeping until there is something to do.

use std::time::Instant;

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::stream::Stream;
use crate::sys::signals::Watch;

/// The time until `due`, as poll(2) takes it.
pub fn until(due: Option<Instant>) -> Option<Timespec> {
    Timespec::try_from(due?.saturating_duration_since(Instant::now())).ok()
}

/// Sleeps until a signal arrives, one of the streams can be read, the reader of our standard output has gone (where
/// `watches_reader`) or `due` has come. Calls `read` with each stream that can be read; true where that reader has
/// gone.
pub(super) fn wait<'s>(
    watch: &Watch,
    streams: impl Iterator<Item = &'s mut Stream>,
    watches_reader: bool,
    due: Option<Instant>,
    read: impl FnMut(&mut Stream),
) -> bool {
    let open: Vec<_> = streams.filter(|stream| stream.pipe.is_some()).collect();
    let pipes = open.iter().filter_map(|stream| stream.pipe.as_ref());
    let reader = watches_reader.then(rustix::stdio::stdout);
    let mut fds = vec![PollFd::new(watch.fd(), PollFlags::IN)];
    fds.extend(pipes.map(|pipe| PollFd::new(pipe, PollFlags::IN)));
    // With no event asked for, poll reports only that nobody reads any more.
    fds.extend(reader.iter().map(|fd| PollFd::new(fd, PollFlags::empty())));
    let _ = poll(&mut fds, until(due).as_ref());
    let events: Vec<_> = fds[1..].iter().map(PollFd::revents).collect();
    let is_gone =
        events.get(open.len()).is_some_and(|found| found.intersects(PollFlags::ERR | PollFlags::HUP));
    let readable = open.into_iter().zip(events).filter(|(_, found)| !found.is_empty());
    readable.map(|(stream, _)| stream).for_each(read);
    is_gone
}
