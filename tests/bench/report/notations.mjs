// Writes every JSON document in each of the peers' notations, and says which of them its own reader gives back.
// It lies beside the peers' node_modules while it runs. node notations.mjs OUT <LIST; a line of JSON a notation.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";

const out = process.argv[2];
const load = (name) => import(name).catch(() => null);
const [toon, tron, tonl, yaml] = await Promise.all(
  ["@toon-format/toon", "@tron-format/tron", "tonl", "yaml"].map(load),
);
const notations = {
  minified: { write: JSON.stringify, read: JSON.parse },
  YAML: yaml && { write: (value) => yaml.stringify(value, { lineWidth: 0, aliasDuplicateObjects: false }), read: yaml.parse },
  TOON: toon && { write: toon.encode, read: toon.decode },
  TRON: tron && { write: (value) => tron.TRON.stringify(value), read: (text) => tron.TRON.parse(text) },
  TONL: tonl && { write: (value) => tonl.encodeTONL(value), read: tonl.decodeTONL },
};

const paths = readFileSync(0, "utf8").split("\n").filter(Boolean);
for (const [name, notation] of Object.entries(notations)) {
  if (!notation) continue;
  const directory = join(out, name);
  mkdirSync(directory, { recursive: true });
  const [refused, changed] = [[], []];
  paths.forEach((path, index) => {
    const value = JSON.parse(readFileSync(path, "utf8"));
    let text;
    try {
      text = notation.write(value);
    } catch {
      refused.push(index);
      return;
    }
    writeFileSync(join(directory, `${index}`), text);
    try {
      if (!isDeepStrictEqual(notation.read(text), value)) changed.push(index);
    } catch {
      changed.push(index);
    }
  });
  console.log(JSON.stringify({ name, refused, changed }));
}
