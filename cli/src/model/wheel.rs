//! Files out of a Python wheel, which is a zip archive (PEP 427).

use std::fs::{self, File};
use std::io;
use std::path::Path;
use zip::ZipArchive;

/// Copies files of a folder of the archive into a directory, under the same
/// names. The error is a text for the list of what was tried.
pub(super) fn unpack(
    package: &Path,
    folder: &str,
    files: &[&str],
    into: &Path,
) -> Result<(), String> {
    let at = |what: String| format!("{}: {what}", package.display());
    let archive = File::open(package).map_err(|error| at(error.to_string()))?;
    let mut archive = ZipArchive::new(archive).map_err(|error| at(error.to_string()))?;
    for file in files {
        let name = format!("{folder}/{file}");
        let mut entry = archive
            .by_name(&name)
            .map_err(|error| at(format!("{name}: {error}")))?;
        let target = into.join(file);
        let failed = |error: io::Error| format!("{}: {error}", target.display());
        if let Some(parent) = target.parent() {
            fs::create_dir_all(parent).map_err(failed)?;
        }
        let mut out = File::create(&target).map_err(failed)?;
        io::copy(&mut entry, &mut out).map_err(failed)?;
        out.sync_all().map_err(failed)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    #[test]
    fn wanted_files_come_out_and_absent_ones_are_named() {
        let dir = tempfile::tempdir().unwrap();
        let package = dir.path().join("p.whl");
        let mut writer = ZipWriter::new(File::create(&package).unwrap());
        for (name, text) in [("m/config.json", "{}"), ("m/1_Pooling/config.json", "[]")] {
            writer
                .start_file(name, SimpleFileOptions::default())
                .unwrap();
            writer.write_all(text.as_bytes()).unwrap();
        }
        writer.finish().unwrap();
        let into = dir.path().join("out");
        unpack(&package, "m", &["1_Pooling/config.json"], &into).unwrap();
        let text = fs::read_to_string(into.join("1_Pooling/config.json")).unwrap();
        assert_eq!(text, "[]");
        assert!(!into.join("config.json").exists());
        let error = unpack(&package, "m", &["absent"], &into).unwrap_err();
        assert!(error.contains("m/absent"), "{error}");
    }
}
