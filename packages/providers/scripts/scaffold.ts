import { identifier, isTaken } from './names.ts'
import { filesOf } from './templates.ts'

/**
 * The files of a provider that has yet to be filled in, by their paths in its folder. They compile and run; what is
 * to be done is marked TODO, in the order of its doing.
 *
 * @throws TypeError for a name that is not one of lower-case words with dashes, or under which nothing can be exported
 */
export function scaffold(name: string): ReadonlyMap<string, string> {
  if (!/^[a-z][a-z0-9]*(-[a-z][a-z0-9]*)*$/.test(name)) {
    throw new TypeError(
      `A provider's name is lower-case words with dashes, as in "npm run new:provider door-bell"`,
    )
  }
  const files = filesOf(name)
  if (isTaken(name) || namesIn(filesOf('')).has(identifier(name))) {
    throw new TypeError(
      `A provider cannot be named "${name}": that word is taken. Name it "${name}-hooks", say`,
    )
  }
  return files
}

/** What the files import, declare and export beside the provider. */
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
