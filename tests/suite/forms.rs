//! Known forms of text: what is recognised, and that words are whole.
