// The page is complete without this script. It adds buttons that copy, and filters for long tables and many cards.
for (const command of document.querySelectorAll(".command")) {
  const button = Object.assign(document.createElement("button"), { className: "copy", textContent: "copy" });
  button.onclick = () => {
    getSelection().selectAllChildren(command);
    button.textContent = document.execCommand("copy") ? "copied" : "selected";
  };
  command.after(button);
}
for (const list of document.querySelectorAll("main:has(.card), .results, .copies, .files")) {
  const hasCards = list.matches("main");
  const rows = [...list.querySelectorAll(hasCards ? "section:has(.card)" : "tbody tr")];
  const filter = Object.assign(document.createElement("input"), { className: "filter", type: "search", placeholder: "player or file" });
  filter.oninput = () => rows.forEach(row => row.hidden = !row.textContent.toLowerCase().includes(filter.value.toLowerCase()));
  if (rows.length > 8) (hasCards ? rows[0] : list).before(filter);
}
