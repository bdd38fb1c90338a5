import listed from './left-out.json' with { type: 'json' }
import { formatTable } from './table.ts'

/** A service that the catalogue does not have. */
export interface LeftOutService {
  readonly title: string
  readonly reason: string
  /** The form of the proof, or the open question. */
  readonly detail?: string
  /** The page or the code that the reason comes from. */
  readonly source: string
}

export const reasons: Readonly<Record<string, string>> = {
  unsigned: 'no signature',
  partial: 'the signature does not cover the body',
  disputed: 'the facts are disputed',
  open: 'not described yet',
}

export const leftOut: readonly LeftOutService[] = listed

/** Renders the section on services that the catalogue does not have. */
export function leftOutSection(): string {
  const rows = leftOut.map(({ title, reason, detail = '', source }) => [
    `[${title}](${source})`,
    reasons[reason] ?? '',
    detail,
  ])
  return `## Services left out

The catalogue does not have these services, each for the reason in the table. The
[generic providers](../../examples/reference-server/README.md#services-without-a-provider) receive from a service with a
standard signature, and [your own provider](../guides/add-a-provider.md) from the others. A service without a signature
needs a secret that only the sender knows, and \`allowUnsigned\`; read its data again with the API.

- **no signature**: the service sends a fixed credential, or none.
- **the signature does not cover the body**: a person who reads one delivery can send another body.
- **the facts are disputed**: sources disagree, or none of them is of the service.
- **not described yet**: the facts are known, and a declaration is missing.

${formatTable(['service', 'reason', 'detail'], rows)}`
}
