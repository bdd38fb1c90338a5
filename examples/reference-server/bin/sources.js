import { accessSync, constants, existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** The shared files of all builds. The server bundles its dependencies, so the lock file counts too. */
const shared = ['package.json', 'package-lock.json', 'tsconfig.base.json']

/**
 * Returns the latest modification time of the sources, as `git pull` sets it. Removed files, and files with older times,
 * such as from an archive, are not detected.
 * An installation without sources or build tools, such as an image, is never rebuilt.
 *
 * @param {string} workspace the folder with all packages
 * @returns {number | undefined} whole milliseconds since the epoch, or undefined where nothing can be built
 */
export function lastChange(workspace) {
  if (!existsSync(join(workspace, 'node_modules/.bin/tsup'))) return undefined
  const folders = builtFolders(workspace)
  if (folders.length === 0) return undefined
  const files = [...shared.map((name) => join(workspace, name)), ...folders.flatMap(getSources)]
  return Math.max(...files.filter((path) => existsSync(path)).map(changedAt))
}

/**
 * Returns the modification time in whole milliseconds, because file systems round times that are set.
 *
 * @param {string} path a file's
 */
export const changedAt = (path) => Math.round(statSync(path).mtimeMs)

/**
 * Reports whether the current user may write the output of the build.
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

/** @param {string} folder the folder of a package or of the server */
function isBuilt(folder) {
  const manifest = join(folder, 'package.json')
  if (!existsSync(join(folder, 'src')) || !existsSync(manifest)) return false
  return JSON.parse(readFileSync(manifest, 'utf8')).scripts?.build !== undefined
}

/** @param {string} folder the folder of a package */
function getSources(folder) {
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

/** @param {string} folder the folder of a package */
function writtenIn(folder) {
  const built = join(folder, 'dist')
  // tsup bundles its configuration file in the same folder.
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
