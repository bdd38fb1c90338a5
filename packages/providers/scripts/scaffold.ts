import { isTaken } from './names.ts'
import { serviceFiles, type ServiceAnswers } from './templates.ts'

/**
 * The files of a new service by their paths in `src/services`. They compile; TODO marks what is missing.
 *
 * @throws TypeError for a name other than lower-case words with dashes, and for a name that cannot be exported
 */
export function scaffold(name: string, answers: ServiceAnswers): ReadonlyMap<string, string> {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) {
    throw new TypeError(
      `The name of a provider must be lower-case words with dashes, as in "npm run new:provider door-bell"`,
    )
  }
  if (isTaken(name)) {
    throw new TypeError(
      `A provider cannot be named "${name}": the name is reserved. Use another name, such as "${name}-hooks"`,
    )
  }
  const unknown = ['hmac', 'standard-webhooks', 'token', 'basic'].every((scheme) => scheme !== answers.scheme)
  if (unknown) throw new TypeError(`The signature "${answers.scheme}" is not one of the listed ones`)
  return serviceFiles(name, answers)
}
