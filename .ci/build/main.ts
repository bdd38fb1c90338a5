/**
 * Builds the packages, the console and the reference server into their folders `dist`. Run it with `npm run build`.
 *
 * Sources run without a build. npm packages and the image contain the build.
 */
import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build, type Options } from 'tsup'
import { buildApplication } from '../../packages/console/scripts/application.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const run = promisify(execFile)

/** Builds the JavaScript of a package. The options `entry` and `external` are in its manifest. */
async function buildPackage(folder: string): Promise<void> {
  const { tsup } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { tsup?: Options }
  if (tsup === undefined) return
  // tsup resolves entries and the manifest from the current folder.
  process.chdir(folder)
  await build({
    ...tsup,
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

for (const manifest of globSync('packages/*/package.json', { cwd: root }))
  await buildPackage(join(root, dirname(manifest)))
process.chdir(root)

const bundle = run(process.execPath, [join(root, 'node_modules/tsup/dist/cli-default.js'), '--silent'], {
  cwd: join(root, 'examples/reference-server'),
})
const declarations = run(process.execPath, [join(root, '.ci/build/declarations.ts')])
await Promise.all([bundle, declarations, buildApplication()])
