//! Messages of an Arrow IPC stream, checked against a memory budget before the decoder allocates.
//!
//! The decoder has no limit: it allocates up to 64 MiB of a stated body at once, and then doubles
//! the buffer for as long as bytes arrive.

use std::collections::BTreeMap;
use std::io::{self, Cursor, Read};

use arrow_ipc::{Message, root_as_message};

/// The marker before the length of a message, in current versions of the format.
const CONTINUATION: [u8; 4] = [0xFF; 4];
/// The memory that the metadata of a message takes per byte: fields with their names and types,
/// nodes, buffers.
const METADATA_FACTOR: u64 = 16;

/// The reason why the decoder does not receive a batch. The position of the next batch is still
/// known.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct RejectedBatch(String);

/// A stream that is read message by message. Bytes that are not a message pass through unchanged,
/// and the decoder reports the error.
pub(crate) struct CheckedMessages<R> {
    input: R,
    /// The maximum size of a message in memory, in bytes.
    memory: u64,
    /// The part of a message's metadata that has not been returned yet.
    metadata: Cursor<Vec<u8>>,
    /// The number of bytes of the message's body that have not been returned yet.
    body: u64,
    /// The number of bytes in the body of a rejected message.
    rejected_bytes: u64,
    /// The size of each dictionary, which the decoder keeps.
    dictionaries: BTreeMap<i64, u64>,
    /// True after the last message, or if the following bytes are not a message.
    is_over: bool,
}

impl<R: Read> CheckedMessages<R> {
    pub(crate) fn new(input: R, memory: u64) -> CheckedMessages<R> {
        let (metadata, dictionaries) = (Cursor::default(), BTreeMap::new());
        CheckedMessages { input, memory, metadata, body: 0, rejected_bytes: 0, dictionaries, is_over: false }
    }

    /// Reads the metadata of the next message.
    fn read_metadata(&mut self) -> io::Result<()> {
        let rejection = std::mem::take(&mut self.rejected_bytes);
        io::copy(&mut self.input.by_ref().take(rejection), &mut io::sink())?;
        let mut bytes = Vec::new();
        self.input.by_ref().take(4).read_to_end(&mut bytes)?;
        if bytes == CONTINUATION {
            self.input.by_ref().take(4).read_to_end(&mut bytes)?;
        }
        let start = bytes.len();
        let length = bytes.last_chunk().filter(|_| start % 4 == 0).map_or(0, |length| i32::from_le_bytes(*length));
        // The decoder also reports a negative length.
        let length = u64::try_from(length).unwrap_or(0);
        self.is_over = length == 0;
        // Without the metadata, the start of the next message is unknown.
        let checked = self.check("the description of a batch", length.saturating_mul(METADATA_FACTOR));
        checked.map_err(|rejection| io::Error::other(rejection.to_string()))?;
        self.input.by_ref().take(length).read_to_end(&mut bytes)?;
        match root_as_message(&bytes[start..]) {
            Ok(message) => {
                // The decoder rejects a negative length.
                let body = u64::try_from(message.bodyLength()).unwrap_or(0);
                if let Err(rejection) = self.check_body(message, body) {
                    self.rejected_bytes = body;
                    return Err(io::Error::other(rejection));
                }
                self.body = body;
            }
            Err(_) => self.is_over = true,
        }
        self.metadata = Cursor::new(bytes);
        Ok(())
    }

    /// Checks that the body of a message fits into memory next to the dictionaries, and that it
    /// contains all of its buffers.
    fn check_body(&mut self, message: Message<'_>, body: u64) -> Result<(), RejectedBatch> {
        let dictionary = message.header_as_dictionary_batch();
        let batch = message.header_as_record_batch().or_else(|| dictionary.and_then(|dictionary| dictionary.data()));
        for buffer in batch.and_then(|batch| batch.buffers()).into_iter().flatten() {
            let end = buffer.offset().checked_add(buffer.length()).filter(|_| buffer.offset() >= 0);
            if end.is_none_or(|end| buffer.length() < 0 || end.unsigned_abs() > body) {
                return Err(RejectedBatch("a buffer reaches beyond its batch".into()));
            }
        }
        if let Some(dictionary) = dictionary {
            let previous = self.dictionaries.get(&dictionary.id()).filter(|_| dictionary.isDelta());
            let total = previous.map_or(body, |previous| previous.saturating_add(body));
            self.dictionaries.insert(dictionary.id(), total);
        }
        let retained = self.dictionaries.values().fold(0, |sum: u64, bytes| sum.saturating_add(*bytes));
        self.check("a batch", if dictionary.is_some() { retained } else { retained.saturating_add(body) })
    }

    fn check(&self, subject: &str, bytes: u64) -> Result<(), RejectedBatch> {
        if bytes <= self.memory {
            return Ok(());
        }
        Err(RejectedBatch(format!("{subject} takes {bytes} bytes of memory, more than --max memory={}", self.memory)))
    }
}

impl<R: Read> Read for CheckedMessages<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let count = self.metadata.read(buffer)?;
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
            // Metadata has at least four bytes; otherwise nothing follows.
            self.read_metadata()?;
        }
    }
}
