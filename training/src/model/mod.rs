//! Model directories: written so that medsift's
//! [`Encoder::open`](medsift::encoder::Encoder::open) and sentence-transformers
//! both open them, and random start weights.
//!
//! | file | what |
//! |---|---|
//! | `modules.json` | transformer, pooling, and normalisation where there is one |
//! | `config.json` | sizes of the network; other entries as the start model had them |
//! | `model.safetensors` | weights in f32 or f16 |
//! | `model.int8.safetensors` | in its place: weights in eight bits, for medsift alone |
//! | `tokenizer.json` (or `vocab.txt`), `tokenizer_config.json` | the tokenizer |
//! | `sentence_bert_config.json` | most tokens, lower-casing |
//! | `config_sentence_transformers.json` | prompts |
//! | `1_Pooling/config.json`, `2_Normalize/` | how states become a vector |
//! | `2_Dense/` | a linear layer in between, where there is one |
//! | `README.md` | the model card |

mod card;
mod configuration;
mod dense;
mod initialise;
mod quantise;
pub(crate) mod safetensors;
#[cfg(test)]
mod tests;
mod weights;
mod write;

pub use card::{CardNotes, model_card};
pub use configuration::{activation, configuration};
pub use initialise::{initialise, truncated_normal};
pub use quantise::{QuantisedRows, quantise_rows};
pub use weights::WeightFormat;
pub(crate) use write::refuse_others;
pub use write::{SavedModel, TokenizerSource};
