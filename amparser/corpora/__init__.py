"""Examples, and the file formats that contain them."""
