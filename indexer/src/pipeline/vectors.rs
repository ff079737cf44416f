use super::IndexJob;
use medsift::columnar::VectorModel;
use medsift::index::PassageMode;

/// Refuses vectors that cannot be compared with those of the index, by what
/// both say of themselves.
///
/// # Errors
/// In words, with what can be done.
pub(super) fn check_model(given: &VectorModel, job: &IndexJob) -> Result<(), String> {
    let ours = job.encoder.fingerprint();
    if given.model != *ours {
        return Err(format!(
            "has vectors of the model {}, and the index is of {ours}: import it into an index of \
             that model (--model), or give --reencode to pass over its vectors and make them anew",
            given.model
        ));
    }
    if given.passages != job.passages {
        let named = |mode| match mode {
            PassageMode::On => "on",
            PassageMode::Off => "off",
        };
        return Err(format!(
            "has vectors made with --passages {}, and this index is made with --passages {}: give \
             the same, or --reencode to make them anew",
            named(given.passages),
            named(job.passages)
        ));
    }
    Ok(())
}
