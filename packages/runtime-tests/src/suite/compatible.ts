import type { Specimens } from '../specimens.ts'
import { authCases } from './auth.ts'
import type { Case } from './case.ts'
import { lambdaCases } from './gateway.ts'
import { portableCases } from './portable.ts'
import { restCases } from './rest.ts'

/** What needs `node:crypto` and `node:buffer`, and what needs nothing of Node. */
export const compatibleCases = async (specimens: Specimens): Promise<readonly Case[]> => [
  ...(await portableCases(specimens)),
  ...lambdaCases,
  ...restCases(specimens),
  ...authCases(specimens),
]
