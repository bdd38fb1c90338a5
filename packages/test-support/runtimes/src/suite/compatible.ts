import type { Specimens } from '../specimens.ts'
import { authCases } from './auth.ts'
import type { Case } from './case.ts'
import { lambdaCases } from './gateway.ts'
import { portableCases } from './portable.ts'
import { restCases } from './rest.ts'

/** The portable cases and those that need `node:crypto` and `node:buffer`. */
export const compatibleCases = async (specimens: Specimens): Promise<readonly Case[]> => [
  ...(await portableCases(specimens)),
  ...lambdaCases,
  ...restCases(specimens),
  ...authCases(specimens),
]
