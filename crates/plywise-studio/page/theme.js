// The look that was chosen last. A plain script, so that it runs before the first paint and nothing flashes.
try {
  const look = localStorage.getItem("plywise.look");
  if (look === "light" || look === "dark") document.documentElement.dataset.look = look;
} catch {
  // Without storage, the system's look is used.
}
