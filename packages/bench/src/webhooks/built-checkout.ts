import { execFile } from 'node:child_process'
import { cp, mkdir, readdir, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const checkout = fileURLToPath(new URL('../../../../', import.meta.url))
const server = 'examples/reference-server'

/**
 * Builds the reference server and its packages in a copy of this checkout, whose builds may be outdated.
 *
 * @returns the path of the built server
 */
export async function buildCheckout(directory: string): Promise<string> {
  const copy = join(directory, 'checkout')
  const folders = await readdir(join(checkout, 'packages'))
  const copied = [...folders.map((name) => `packages/${name}`), server]
  for (const folder of copied) {
    await cp(join(checkout, folder), join(copy, folder), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !/\/(dist|coverage|data)$/.test(path),
    })
  }
  await cp(join(checkout, 'tsconfig.base.json'), join(copy, 'tsconfig.base.json'))
  await linkModules(copy)
  for (const folder of copied) await build(join(copy, folder))
  return join(copy, server, 'dist/main.js')
}

/** Links the libraries of this checkout and the packages of the copy. */
async function linkModules(copy: string): Promise<void> {
  const [from, to] = [join(checkout, 'node_modules'), join(copy, 'node_modules')]
  await mkdir(to)
  for (const name of await readdir(from)) {
    if (name === '@sallyport')
      await cp(join(from, name), join(to, name), { recursive: true, verbatimSymlinks: true })
    else await symlink(join(from, name), join(to, name))
  }
}

/** Builds a package without declarations, which take most of the time. */
async function build(folder: string): Promise<void> {
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
    scripts?: { build?: string }
  }
  if (manifest.scripts?.build !== 'tsup') return
  const tsup = join(checkout, 'node_modules/tsup/dist/cli-default.js')
  await promisify(execFile)(process.execPath, [tsup, '--no-dts'], { cwd: folder })
}
