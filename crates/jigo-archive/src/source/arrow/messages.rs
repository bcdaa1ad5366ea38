//! Messages of an Arrow IPC stream, held to a budget before the decoder makes room for them.

use std::collections::BTreeMap;
use std::io::{self, Cursor, Read};

use arrow_ipc::{Message, root_as_message};

/// What stands before the length of a message, in streams of today.
const CONTINUATION: [u8; 4] = [0xFF; 4];
/// What the description of a message takes in memory, for a byte of it: fields with their names and types, nodes, buffers.
const DESCRIPTION_TIMES: u64 = 16;

/// Why the decoder is not given a batch. The next one is where it should be.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct Refused(String);

/// A stream that is read message by message. What is no message passes as it is: the decoder says what is wrong with it.
pub(super) struct HeldMessages<R> {
    input: R,
    /// Bytes that a message may take.
    memory: u64,
    /// The description of a message, as far as it is not handed on.
    described: Cursor<Vec<u8>>,
    /// Bytes of the body of that message that are not handed on.
    body: u64,
    /// Bytes of the body of a message that was refused.
    refused: u64,
    /// Bytes of each dictionary, which the decoder keeps.
    dictionaries: BTreeMap<i64, u64>,
    /// Whether the last message was read, or what follows is none.
    is_over: bool,
}

impl<R: Read> HeldMessages<R> {
    pub(super) fn new(input: R, memory: u64) -> HeldMessages<R> {
        let (described, dictionaries) = (Cursor::default(), BTreeMap::new());
        HeldMessages { input, memory, described, body: 0, refused: 0, dictionaries, is_over: false }
    }

    /// Reads the description of the next message.
    fn describe(&mut self) -> io::Result<()> {
        let refused = std::mem::take(&mut self.refused);
        io::copy(&mut self.input.by_ref().take(refused), &mut io::sink())?;
        let mut bytes = Vec::new();
        self.input.by_ref().take(4).read_to_end(&mut bytes)?;
        if bytes == CONTINUATION {
            self.input.by_ref().take(4).read_to_end(&mut bytes)?;
        }
        let begins = bytes.len();
        let length = bytes.last_chunk().filter(|_| begins % 4 == 0).map_or(0, |length| i32::from_le_bytes(*length));
        // A length below zero, too, is for the decoder to name.
        let length = u64::try_from(length).unwrap_or(0);
        self.is_over = length == 0;
        // Without it, nobody knows where the next one begins.
        let held = self.hold("the description of a batch", length.saturating_mul(DESCRIPTION_TIMES));
        held.map_err(|refused| io::Error::other(refused.to_string()))?;
        self.input.by_ref().take(length).read_to_end(&mut bytes)?;
        match root_as_message(&bytes[begins..]) {
            Ok(message) => {
                // The decoder refuses a length below zero.
                let body = u64::try_from(message.bodyLength()).unwrap_or(0);
                if let Err(refused) = self.hold_body(message, body) {
                    self.refused = body;
                    return Err(io::Error::other(refused));
                }
                self.body = body;
            }
            Err(_) => self.is_over = true,
        }
        self.described = Cursor::new(bytes);
        Ok(())
    }

    /// Whether there is room for the body of a message, beside the dictionaries, and its buffers are in it.
    fn hold_body(&mut self, message: Message<'_>, body: u64) -> Result<(), Refused> {
        let dictionary = message.header_as_dictionary_batch();
        let batch = message.header_as_record_batch().or_else(|| dictionary.and_then(|dictionary| dictionary.data()));
        for buffer in batch.and_then(|batch| batch.buffers()).into_iter().flatten() {
            let end = buffer.offset().checked_add(buffer.length()).filter(|_| buffer.offset() >= 0);
            if end.is_none_or(|end| buffer.length() < 0 || end.unsigned_abs() > body) {
                return Err(Refused("a buffer reaches beyond its batch".into()));
            }
        }
        if let Some(dictionary) = dictionary {
            let before = self.dictionaries.get(&dictionary.id()).filter(|_| dictionary.isDelta());
            let total = before.map_or(body, |before| before.saturating_add(body));
            self.dictionaries.insert(dictionary.id(), total);
        }
        let kept = self.dictionaries.values().fold(0, |sum: u64, bytes| sum.saturating_add(*bytes));
        self.hold("a batch", if dictionary.is_some() { kept } else { kept.saturating_add(body) })
    }

    fn hold(&self, what: &str, bytes: u64) -> Result<(), Refused> {
        if bytes <= self.memory {
            return Ok(());
        }
        Err(Refused(format!("{what} takes {bytes} bytes of memory, more than --max-memory {}", self.memory)))
    }
}

impl<R: Read> Read for HeldMessages<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let count = self.described.read(buffer)?;
            if count > 0 || buffer.is_empty() {
                return Ok(count);
            }
            if self.is_over {
                return self.input.read(buffer);
            }
            if self.body > 0 {
                let count = self.input.by_ref().take(self.body).read(buffer)?;
                self.body -= count as u64;
                return Ok(count);
            }
            // A description has four bytes at least, or nothing follows.
            self.describe()?;
        }
    }
}
