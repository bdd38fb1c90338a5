import { accessSync, constants, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/** Why nothing can be kept in a directory, which may be made when it is not there yet. */
export function dataDirectoryProblems(directory: string): readonly string[] {
  const place = nearest(resolve(directory))
  if (!statSync(place, { throwIfNoEntry: false })?.isDirectory())
    return [`DATA_DIR has to be a directory, and ${place} is none`]
  try {
    accessSync(place, constants.W_OK | constants.X_OK)
    return []
  } catch (error) {
    return [`DATA_DIR has to be writable: ${(error as Error).message}`]
  }
}

/** The path itself, or what is there of the way to it. */
function nearest(path: string): string {
  try {
    if (statSync(path, { throwIfNoEntry: false })) return path
  } catch {
    // A part of the way is no directory, or cannot be looked into.
  }
  const parent = dirname(path)
  return parent === path ? path : nearest(parent)
}
