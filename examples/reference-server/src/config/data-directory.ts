import { accessSync, constants, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/** Reports a data directory that is not writable. The directory itself need not exist. */
export function dataDirectoryProblems(directory: string): readonly string[] {
  const place = nearest(resolve(directory))
  if (!statSync(place, { throwIfNoEntry: false })?.isDirectory())
    return [`DATA_DIR has to be a directory, but ${place} is a file`]
  try {
    accessSync(place, constants.W_OK | constants.X_OK)
    return []
  } catch (error) {
    return [`DATA_DIR has to be writable: ${(error as Error).message}`]
  }
}

/** Finds the nearest existing path: the path itself or one of its parents. */
function nearest(path: string): string {
  try {
    if (statSync(path, { throwIfNoEntry: false })) return path
  } catch {
    // A parent is a file or cannot be read.
  }
  const parent = dirname(path)
  return parent === path ? path : nearest(parent)
}
