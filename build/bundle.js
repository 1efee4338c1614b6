/**
 * Bundles the built program, its libraries and the console into `program/`, which `npm pack` packs: npm takes about a
 * millisecond for each file that it installs, three times for a file that is not in a registry, and the libraries alone
 * have thousands of them. Run it after `bin/prepare.js`.
 *
 * All modules are in one folder, so that `new URL('./some-worker.js', import.meta.url)` finds the entry of a thread from
 * wherever the bundler has put the code.
 */
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const root = fileURLToPath(new URL('..', import.meta.url));
const at = (...parts) => join(root, ...parts);
const program = at('program');
const { dependencies } = JSON.parse(readFileSync(at('package.json'), 'utf8'));

rmSync(program, { recursive: true, force: true });
const entries = byName([at('dist', 'main.js'), ...threads()]);
const bundle = await rolldown({
  input: entries,
  platform: 'node',
  // SQLite is a native module. The others are loaded by `require` at the first value that needs them.
  external: [...Object.keys(dependencies), 'pg-native'],
  transform: { define: { __dirname: 'import.meta.dirname', __filename: 'import.meta.filename' } },
  plugins: [{ name: 'files-of-the-docs-page', transform: findFilesOfTheDocsPage }],
  onLog(level, log, report) {
    if (level === 'warn') throw new Error(log.message);
    report(level, log);
  },
});
const { output } = await bundle.write({
  dir: program,
  entryFileNames: '[name].js',
  chunkFileNames: '[name].js',
});
const written = output.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName);
for (const name of Object.keys(entries)) {
  if (!written.includes(`${name}.js`)) throw new Error(`${name}.js has another name: ${written.join(', ')}`);
}
cpSync(at('dist', 'console'), join(program, 'console'), { recursive: true });
cpSync(at('node_modules', '@fastify', 'swagger-ui', 'static'), join(program, 'swagger-ui'), {
  recursive: true,
});
writeFileSync(join(program, 'LICENSES.txt'), licences());

/** The modules that the program runs in threads of their own. */
function threads() {
  const modules = readdirSync(at('dist'), { recursive: true }).filter((path) =>
    /^(?!console).*\.js$/.test(path),
  );
  return modules.flatMap((path) => {
    const code = readFileSync(at('dist', path), 'utf8');
    const urls = code.matchAll(/new URL\('\.\/([\w-]+\.js)', import\.meta\.url\)/g);
    return [...urls].map(([, file]) => at('dist', dirname(path), file));
  });
}

/** All entries are in one folder. */
function byName(paths) {
  const names = paths.map((path) => basename(path, '.js'));
  if (new Set(names).size < names.length) throw new Error(`Two of these have one name: ${paths.join(', ')}`);
  return Object.fromEntries(names.map((name, index) => [name, paths[index]]));
}

function findFilesOfTheDocsPage(code, id) {
  if (!id.endsWith('@fastify/swagger-ui/lib/routes.js')) return undefined;
  const found = code.replace("path.join(__dirname, '..', 'static')", "path.join(__dirname, 'swagger-ui')");
  if (found === code) throw new Error(`${id} looks for its files in another way.`);
  return found;
}

/** The licences of the libraries that are in the bundles. */
function licences() {
  const modules = output.flatMap(({ moduleIds = [] }) => moduleIds);
  const folders = modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? []);
  return [...new Set(folders)].sort().map(licence).join('\n\n');
}

function licence(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file));
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return [`${name} ${version}, ${license}`, ...texts].join('\n\n');
}
