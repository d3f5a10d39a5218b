use super::*;

/// On a busy machine, reading the pipe took longer than the wait for descendants, and the end of the output
/// came raw behind the summary.
#[test]
fn what_a_tool_left_in_its_pipe_is_its_own_however_long_it_takes_to_read() {
    let (mut stream, tool) = Stream::new(Source::Out, rustix::stdio::stdout()).unwrap();
    rustix::io::write(&tool, &[b'x'; 5_000]).unwrap();
    stream.tool_ended();
    rustix::io::write(&tool, b"a descendant's").unwrap();
    assert!(stream.has_left() && stream.read() && !stream.has_left());
    assert_eq!(stream.in_memory(), 5_014);
    // What a descendant took out of the pipe is not waited for.
    rustix::io::write(&tool, b"its last words").unwrap();
    stream.tool_ended();
    assert!(stream.has_left());
    rustix::io::read(stream.pipe.as_ref().unwrap(), &mut [0; 100]).unwrap();
    assert!(!stream.has_left());
}
