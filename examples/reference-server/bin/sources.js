import { accessSync, constants, existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** What every package is built with. The server has its dependencies in it, so the lock file counts as well. */
const shared = ['package.json', 'package-lock.json', 'tsconfig.base.json']

/**
 * The latest time of what the build is made of, as `git pull` sets it. What comes in with an older time, such as from an
 * archive, or is only taken away, does not show.
 *
 * What has no sources is as it is, an image for one; and so is what was installed without the tools to build it.
 *
 * @param {string} workspace the folder with all packages
 * @returns {number | undefined} whole milliseconds since the epoch, or undefined where nothing can be built
 */
export function lastChange(workspace) {
  if (!existsSync(join(workspace, 'node_modules/.bin/tsup'))) return undefined
  const folders = builtFolders(workspace)
  if (folders.length === 0) return undefined
  const files = [...shared.map((name) => join(workspace, name)), ...folders.flatMap(sourcesOf)]
  return Math.max(...files.filter((path) => existsSync(path)).map(changedAt))
}

/**
 * In whole milliseconds: a time that is set comes back from a file system with a little less.
 *
 * @param {string} path a file's
 */
export const changedAt = (path) => Math.round(statSync(path).mtimeMs)

/**
 * Whether whoever runs this may write all that a build writes.
 *
 * @param {string} workspace the folder with all packages
 */
export function mayBuild(workspace) {
  return builtFolders(workspace).flatMap(writtenIn).every(isWritable)
}

/** @param {string} workspace the folder with all packages */
function builtFolders(workspace) {
  const packages = join(workspace, 'packages')
  const folders = readdirSync(packages).map((name) => join(packages, name))
  return [...folders, join(workspace, 'examples/reference-server')].filter(isBuilt)
}

/** @param {string} folder a package's, or what lies beside them */
function isBuilt(folder) {
  const manifest = join(folder, 'package.json')
  if (!existsSync(join(folder, 'src')) || !existsSync(manifest)) return false
  return JSON.parse(readFileSync(manifest, 'utf8')).scripts?.build !== undefined
}

/** @param {string} folder a package's */
function sourcesOf(folder) {
  const beside = readdirSync(folder).filter((name) =>
    /^(package\.json|tsconfig\.json|tsup\.config\..+)$/.test(name),
  )
  const files = readdirSync(join(folder, 'src'), { recursive: true, withFileTypes: true })
  const sources = files.filter((file) => file.isFile() && !file.name.endsWith('.test.ts'))
  return [
    ...beside.map((name) => join(folder, name)),
    ...sources.map(({ parentPath, name }) => join(parentPath, name)),
  ]
}

/** @param {string} folder a package's */
function writtenIn(folder) {
  const built = join(folder, 'dist')
  // A configuration of its own is bundled beside itself first.
  const isConfigured = readdirSync(folder).some((name) => name.startsWith('tsup.config.'))
  return [existsSync(built) ? built : folder, ...(isConfigured ? [folder] : [])]
}

/** @param {string} path a folder's */
function isWritable(path) {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}
