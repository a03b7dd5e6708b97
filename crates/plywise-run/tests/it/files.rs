//! Files that are whole or absent.

use plywise_run::files::{try_writing, write_whole};
use std::fs;
use std::path::Path;

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_file_is_replaced_and_nothing_is_left_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("result.toml");
    try_writing(&path).unwrap();
    assert_eq!(names(folder.path()), [""; 0], "trying leaves no trace");
    write_whole(&path, b"a long first version").unwrap();
    try_writing(&path).unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"a long first version");
    write_whole(&path, b"short").unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"short");
    assert_eq!(names(folder.path()), ["result.toml"]);
}

#[test]
fn the_longest_name_that_a_system_takes_can_be_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x".repeat(255));
    write_whole(&path, b"one").unwrap();
    write_whole(&path, b"two").unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"two");
}

#[test]
fn what_is_no_place_for_a_file_is_found_before() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("file"), "").unwrap();
    for bad in ["", "none/result", "file/result", ".."] {
        let path = folder.path().join(bad);
        assert!(try_writing(&path).is_err() && write_whole(&path, b"x").is_err(), "{bad}");
    }
    assert_eq!(names(folder.path()), ["file"]);
}

#[cfg(unix)]
#[test]
fn links_and_permissions_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = tempfile::tempdir().unwrap();
    let (file, link) = (folder.path().join("file"), folder.path().join("link"));
    fs::write(&file, "old").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    symlink("file", &link).unwrap();
    write_whole(&link, b"new").unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read(&file).unwrap(), b"new");
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
}

#[cfg(target_os = "linux")]
#[test]
fn devices_are_written_to_as_they_stand() {
    write_whole(Path::new("/dev/null"), b"gone").unwrap();
    assert!(write_whole(Path::new("/dev/full"), b"too much").is_err());
    assert!(Path::new("/dev/full").exists());
}

/// A draft that has come to its place must not take away one of the same name that another thread began since.
#[test]
fn threads_write_into_one_folder() {
    let folder = tempfile::tempdir().unwrap();
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let folder = folder.path();
            scope.spawn(move || {
                for number in 0..50 {
                    write_whole(&folder.join(format!("{thread}-{number}")), b"whole").unwrap();
                }
            });
        }
    });
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 200);
}
