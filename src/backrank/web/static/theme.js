"use strict";
/* Before anything is drawn: the colours that were chosen last time, so that the page does not flash. */
try {
  const chosen = (JSON.parse(localStorage.getItem("backrank")) || {}).theme;
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch {
  // Without a memory the page has the colours of the system.
}
