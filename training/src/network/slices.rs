//! The numbers of tensors on this processor, as slices.

use candle_core::{CpuStorage, InplaceOp1, Layout, Result, Storage, Tensor, bail};
use std::cell::Cell;
use std::ops::{Deref, Range};

/// Numbers of a contiguous single-precision tensor.
pub(crate) struct Numbers<'a> {
    storage: candle_core::StorageRef<'a>,
    range: Range<usize>,
}

impl<'a> Numbers<'a> {
    /// Borrows a tensor's numbers.
    pub(crate) fn of(tensor: &'a Tensor) -> Result<Self> {
        let (storage, layout) = tensor.storage_and_layout();
        let Some((from, to)) = layout.contiguous_offsets() else {
            bail!("the tensor is not contiguous");
        };
        let Storage::Cpu(CpuStorage::F32(_)) = &*storage else {
            bail!("the tensor does not hold single-precision numbers on this processor");
        };
        Ok(Self {
            storage,
            range: from..to,
        })
    }
}

impl Deref for Numbers<'_> {
    type Target = [f32];

    fn deref(&self) -> &[f32] {
        match &*self.storage {
            Storage::Cpu(CpuStorage::F32(numbers)) => &numbers[self.range.clone()],
            _ => &[],
        }
    }
}

/// Lets a function change a contiguous single-precision tensor in place.
pub(crate) fn change<R>(tensor: &Tensor, f: impl FnOnce(&mut [f32]) -> R) -> Result<R> {
    let operation = Change {
        function: Cell::new(Some(f)),
        result: Cell::new(None),
    };
    tensor.inplace_op1(&operation)?;
    match operation.result.into_inner() {
        Some(result) => Ok(result),
        None => bail!("the tensor was not changed"),
    }
}

struct Change<F, R> {
    function: Cell<Option<F>>,
    result: Cell<Option<R>>,
}

impl<R, F: FnOnce(&mut [f32]) -> R> InplaceOp1 for Change<F, R> {
    fn name(&self) -> &'static str {
        "change"
    }

    fn cpu_fwd(&self, storage: &mut CpuStorage, layout: &Layout) -> Result<()> {
        let Some((from, to)) = layout.contiguous_offsets() else {
            bail!("the tensor is not contiguous");
        };
        let CpuStorage::F32(numbers) = storage else {
            bail!("the tensor does not hold single-precision numbers");
        };
        if let Some(function) = self.function.take() {
            self.result.set(Some(function(&mut numbers[from..to])));
        }
        Ok(())
    }
}
