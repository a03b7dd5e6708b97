// Which row of the outline shows which node. A branch is a node whose children are shown; it knows how many rows it takes,
// and only those of its children that are open too. A million children cost no more than ten.

let serials = 0;

class Branch {
  constructor(parent, index, node, total) {
    this.parent = parent;
    // The place of the node among its siblings.
    this.index = index;
    this.node = node;
    this.total = total;
    // Open children, by their place, and from first to last.
    this.open = new Map();
    this.inOrder = [];
    this.rows = total;
    this.level = parent ? parent.level + 1 : 0;
    this.serial = serials += 1;
  }

  // An open child came or went, and with it this many rows.
  changed(rows) {
    this.inOrder = [...this.open.values()].sort((one, other) => one.index - other.index);
    for (let branch = this; branch; branch = branch.parent) branch.rows += rows;
  }
}

export class OutlineModel {
  constructor(root) {
    this.root = root;
    // Above the root, so that the root is a row like the others.
    this.top = new Branch(null, 0, null, 1);
  }

  get rows() {
    return this.top.rows;
  }

  // The place of a row: the branch and the child of it.
  locate(row) {
    let branch = this.top;
    for (;;) {
      let inner = null;
      let passed = 0;
      for (const open of branch.inOrder) {
        const begin = open.index + passed;
        if (row <= begin) break;
        if (row <= begin + open.rows) {
          inner = open;
          row -= begin + 1;
          break;
        }
        passed += open.rows;
      }
      if (!inner) return { branch, index: row - passed };
      branch = inner;
    }
  }

  rowOf({ branch, index }) {
    let row = 0;
    while (branch) {
      row += index;
      for (const open of branch.open.values()) if (open.index < index) row += open.rows;
      if (branch.parent) row += 1;
      index = branch.index;
      branch = branch.parent;
    }
    return row;
  }

  isOpen({ branch, index }) {
    return branch.open.has(index);
  }

  // Opens a node with this many children.
  expand({ branch, index }, node, total) {
    const known = branch.open.get(index);
    if (known) return known;
    const opened = new Branch(branch, index, node, total);
    branch.open.set(index, opened);
    branch.changed(opened.rows);
    return opened;
  }

  collapse({ branch, index }) {
    const closed = branch.open.get(index);
    if (!closed) return;
    branch.open.delete(index);
    branch.changed(-closed.rows);
  }

  parentOf({ branch }) {
    return branch.parent ? { branch: branch.parent, index: branch.index } : null;
  }
}

export function isSamePlace(one, other) {
  return one && other && one.branch === other.branch && one.index === other.index;
}

export function placeKey({ branch, index }) {
  return `${branch.serial}:${index}`;
}

// Whether a place lies below another.
export function isBelow(place, above) {
  for (let { branch } = place; branch.parent; branch = branch.parent) {
    if (branch.parent === above.branch && branch.index === above.index) return true;
  }
  return false;
}
