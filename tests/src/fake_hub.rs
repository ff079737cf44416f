//! A model hub on this machine that answers as the real one does, as far as
//! a client that downloads a model looks.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Component, Path, PathBuf};
use std::thread;

/// A running hub with one model.
pub struct FakeHub {
    address: String,
}

impl FakeHub {
    /// Serves the files of a folder as the model `id`, until the process ends.
    ///
    /// # Panics
    ///
    /// When no port can be had.
    pub fn start(id: &str, folder: &Path) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
        let address = listener.local_addr().expect("an address").to_string();
        let (id, folder) = (id.to_owned(), folder.to_owned());
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (id, folder) = (id.clone(), folder.clone());
                thread::spawn(move || {
                    // A client that goes away in the middle is its own matter.
                    let _ = answer(stream, &id, &folder);
                });
            }
        });
        Self { address }
    }

    /// For `HF_ENDPOINT`.
    pub fn endpoint(&self) -> String {
        format!("http://{}", self.address)
    }
}

fn answer(stream: TcpStream, id: &str, folder: &Path) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream);
    let mut request = String::new();
    reader.read_line(&mut request)?;
    let mut from = 0;
    let mut to = None;
    loop {
        let mut header = String::new();
        if reader.read_line(&mut header)? == 0 || header.trim().is_empty() {
            break;
        }
        if let Some(range) = header.to_lowercase().strip_prefix("range: bytes=") {
            let (first, last) = range.trim().split_once('-').unwrap_or((range, ""));
            from = first.parse().unwrap_or(0);
            to = last.parse().ok();
        }
    }
    let mut words = request.split_whitespace();
    let (method, path) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
    let stream = reader.into_inner();
    let content = if path == format!("/api/models/{id}/revision/main") {
        Some(listing(folder).into_bytes())
    } else {
        path.strip_prefix(&format!("/{id}/resolve/main/"))
            .and_then(|name| file(folder, name))
    };
    respond(stream, method == "HEAD", content, from, to)
}

fn respond(
    mut stream: TcpStream,
    head: bool,
    content: Option<Vec<u8>>,
    from: usize,
    to: Option<usize>,
) -> std::io::Result<()> {
    let Some(content) = content else {
        return stream.write_all(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");
    };
    let total = content.len();
    let end = to.map_or(total, |last| (last + 1).min(total));
    let body = &content[from.min(end)..end];
    write!(
        stream,
        "HTTP/1.1 206 Partial Content\r\nContent-Length: {}\r\n\
         Content-Range: bytes {from}-{}/{total}\r\nETag: \"{total}\"\r\n\
         X-Repo-Commit: 0123456789abcdef\r\nConnection: close\r\n\r\n",
        body.len(),
        end.saturating_sub(1),
    )?;
    if !head {
        stream.write_all(body)?;
    }
    stream.flush()
}

fn listing(folder: &Path) -> String {
    let mut names = Vec::new();
    collect(folder, "", &mut names);
    let siblings: Vec<_> = names
        .iter()
        .map(|name| serde_json::json!({"rfilename": name}))
        .collect();
    serde_json::json!({"siblings": siblings, "sha": "0123456789abcdef"}).to_string()
}

fn collect(folder: &Path, prefix: &str, names: &mut Vec<String>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            collect(&entry.path(), &format!("{name}/"), names);
        } else {
            names.push(name);
        }
    }
}

fn file(folder: &Path, name: &str) -> Option<Vec<u8>> {
    let name = PathBuf::from(name);
    let plain = name
        .components()
        .all(|part| matches!(part, Component::Normal(_)));
    let mut content = Vec::new();
    fs::File::open(folder.join(name))
        .ok()
        .filter(|_| plain)?
        .read_to_end(&mut content)
        .ok()?;
    Some(content)
}
