import { identifier, isTaken } from './names.ts'
import { scaffoldFiles } from './templates.ts'

/**
 * The files of an incomplete provider by their paths in its folder. They compile and run. TODO comments number the steps
 * to complete it.
 *
 * @throws TypeError for a name other than lower-case words with dashes, and for a name that cannot be exported
 */
export function scaffold(name: string): ReadonlyMap<string, string> {
  if (!/^[a-z][a-z0-9]*(-[a-z][a-z0-9]*)*$/.test(name)) {
    throw new TypeError(
      `The name of a provider must be lower-case words with dashes, as in "npm run new:provider door-bell"`,
    )
  }
  const files = scaffoldFiles(name)
  if (isTaken(name) || namesIn(scaffoldFiles('')).has(identifier(name))) {
    throw new TypeError(
      `A provider cannot be named "${name}": the name is reserved. Use another name, such as "${name}-hooks"`,
    )
  }
  return files
}

/** The names that the files import, declare and export in addition to the provider. */
function namesIn(files: ReadonlyMap<string, string>): ReadonlySet<string> {
  const bound = /\b(?:const|import) (\w+)|\{([^{}]*)\} from/g
  return new Set(
    [...files.values()].flatMap((text) =>
      [...text.matchAll(bound)].flatMap(([, one, list = '']) =>
        [one ?? '', ...list.split(',').map((part) => part.replace(/^.* as /, ''))].map((part) => part.trim()),
      ),
    ),
  )
}
