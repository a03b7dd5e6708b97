// Leads a browser on to the studio. What is stored here is kept for this port alone; a cookie would go to all of them.
const STUDIO = "plywise.studio";
let { path } = document.body.dataset;
try {
  if (path) localStorage.setItem(STUDIO, path);
  else path = localStorage.getItem(STUDIO);
} catch {
  // Without storage the printed address still works, once.
}
const there = `/${path}/`;
// A link of a studio that was restarted leads to the new one; where the path that is known is refused too, nothing is left.
if (path && location.pathname !== there) location.replace(there + location.hash);
else document.getElementById("closed").hidden = false;
