/**
 * Builds the packages, the console and the reference server into their folders `dist`. Run it with `npm run build`.
 *
 * Sources run without a build. npm packages and the image contain the build.
 */
import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build, type Options } from 'tsup'
import { buildApplication } from '../../packages/console/scripts/application.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const run = promisify(execFile)

interface Manifest {
  readonly private?: boolean
  readonly exports?: Readonly<Record<string, unknown>>
  /** Options beside the exports, such as the modules of worker threads. */
  readonly tsup?: Options
}

/** Builds the JavaScript of a package: a file for each export with a source. */
async function buildPackage(folder: string): Promise<void> {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
  const { private: isPrivate = false, exports = {}, tsup } = manifest
  if (isPrivate) return
  // tsup resolves entries and the manifest from the current folder.
  process.chdir(folder)
  await build({
    ...tsup,
    entry: { ...listEntries(exports), ...(tsup?.entry as Readonly<Record<string, string>> | undefined) },
    config: false,
    format: 'esm',
    clean: true,
    removeNodeProtocol: false,
    silent: true,
    // The process of esbuild keeps the folder in which it was started.
    esbuildOptions: (options) => {
      options.absWorkingDir = folder
    },
  })
}

interface Export {
  readonly '@sallyport/source': string
  readonly default: string
}

/** Lists the sources of exports in the current folder, by the names of their built files. */
function listEntries(exports: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const isBuilt = (entry: unknown): entry is Export =>
    typeof entry === 'object' && entry !== null && '@sallyport/source' in entry
  return Object.fromEntries(
    Object.values(exports)
      .filter(isBuilt)
      .flatMap(({ '@sallyport/source': source, default: built }) =>
        globSync(source, { exclude: ['**/*.test.ts'] }).map((path) => [
          built.replace(/^\.\/dist\/|\.js$/g, '').replace('*', basename(path, '.ts')),
          path,
        ]),
      ),
  )
}

for (const manifest of globSync('packages/*/package.json', { cwd: root }))
  await buildPackage(join(root, dirname(manifest)))
process.chdir(root)

const bundle = run(process.execPath, [join(root, 'node_modules/tsup/dist/cli-default.js'), '--silent'], {
  cwd: join(root, 'examples/reference-server'),
})
const declarations = run(process.execPath, [join(root, '.ci/build/declarations.ts')])
await Promise.all([bundle, declarations, buildApplication()])
