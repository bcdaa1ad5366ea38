// The page is complete without this script. It adds buttons that copy, and filters for long tables.
for (const command of document.querySelectorAll(".command")) {
  const button = Object.assign(document.createElement("button"), { className: "copy", textContent: "copy" });
  button.onclick = () => {
    getSelection().selectAllChildren(command);
    button.textContent = document.execCommand("copy") ? "copied" : "selected";
  };
  command.after(button);
}
for (const table of document.querySelectorAll(".results, .copies, .files")) {
  const rows = [...table.querySelectorAll("tbody tr")];
  const filter = Object.assign(document.createElement("input"), { className: "filter", type: "search", placeholder: "player or file" });
  filter.oninput = () => rows.forEach(row => row.hidden = !row.textContent.toLowerCase().includes(filter.value.toLowerCase()));
  if (rows.length > 8) table.before(filter);
}
