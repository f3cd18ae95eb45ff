// Tables sort by a click on a column's head; without script they are plain tables in the order of the ranking.
for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0];
  const rows = [...body.rows];
  if (rows.length < 3) continue;
  [...table.tHead.rows[0].cells].forEach((head, index) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const up = head.getAttribute("aria-sort") === "descending";
      for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      const key = (row) => {
        const cell = row.cells[index];
        return cell.dataset.sort === undefined ? null : Number(cell.dataset.sort);
      };
      const text = (row) => row.cells[index].textContent;
      const sign = up ? 1 : -1;
      rows.sort((a, b) => {
        const x = key(a), y = key(b);
        if (x === null && y === null) return -sign * text(a).localeCompare(text(b));
        if (x === null || y === null) return x === null ? 1 : -1;
        return sign * (x - y);
      });
      body.append(...rows);
    });
  });
}
