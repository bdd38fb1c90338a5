import { isTaken } from './names.ts'
import { checkAnswers, type ServiceAnswers } from './questions.ts'
import { serviceFiles } from './templates.ts'

/**
 * The files of a new service by their paths in `src/services`. They compile; TODO marks what is missing.
 *
 * @param month the present month, such as `2026-11`
 * @throws TypeError for a name other than lower-case words with dashes, for a name that cannot be exported, and for an answer that
 *   is not possible
 */
export function scaffold(name: string, answers: ServiceAnswers, month: string): ReadonlyMap<string, string> {
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
  checkAnswers(answers)
  return serviceFiles(name, answers, month)
}
