import type { Specimens } from '../specimens.ts'
import type { Case } from './case.ts'
import { errorCases } from './errors.ts'
import { gatewayCases } from './gateway.ts'
import { handshakeCases } from './handshakes.ts'
import { providerCases } from './providers.ts'
import { schemeSuite } from './schemes.ts'

/** The cases that need nothing of Node. */
export const portableCases = async (specimens: Specimens): Promise<readonly Case[]> => [
  ...errorCases,
  ...(await schemeSuite(specimens)),
  ...gatewayCases,
  ...handshakeCases,
  ...providerCases(specimens),
]
