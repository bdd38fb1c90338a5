import type { Service, Verification } from '@sallyport/webhooks'
import { receiveVector } from './receive-vector.ts'
import type { AcceptedVector, CatalogueService, RefusedVector } from './schema.ts'

type Change = Omit<RefusedVector, 'reason'>

/** Creates changed copies of an accepted delivery, each with the reason of its refusal. */
export async function createRefused(
  provider: Service,
  accepted: AcceptedVector,
  signature: CatalogueService['signature'],
  unsigned: { readonly body: string },
  otherSecrets: readonly string[] | undefined,
): Promise<RefusedVector[]> {
  const refuse = async (change: Change): Promise<RefusedVector | undefined> => {
    const reason = await findReason(provider, { ...accepted, ...change })
    return reason && { ...change, reason }
  }
  const changes = [
    signature.trust === 'signed' ? await findFirst(changeBodies(accepted.body), refuse) : undefined,
    otherSecrets && (await refuse({ change: 'secret', secrets: [...otherSecrets] })),
    signature.tolerance && (await refuse(changeTime(accepted.time, signature.tolerance.seconds))),
    signature.trust === 'none' ? undefined : await refuse(removeSignature(accepted, signature, unsigned)),
  ]
  return changes.filter((one) => one !== undefined)
}

async function findReason(
  provider: Service,
  request: AcceptedVector,
): Promise<RefusedVector['reason'] | undefined> {
  const verification = await receiveVector(provider, request).then(
    (received): Verification => received.verification,
    () => undefined,
  )
  return verification?.verified === false ? verification.reason : undefined
}

/** Changes one letter or digit, from the middle of the body on. */
function* changeBodies(body: string): Generator<Change> {
  for (let at = body.length >> 1; at < body.length; at += 1) {
    const character = body[at] ?? ''
    if (!/[\da-z]/i.test(character)) continue
    yield { change: 'body', body: body.slice(0, at) + (character === '0' ? '1' : '0') + body.slice(at + 1) }
  }
}

async function findFirst(
  changes: Iterable<Change>,
  refuse: (change: Change) => Promise<RefusedVector | undefined>,
): Promise<RefusedVector | undefined> {
  let found: RefusedVector | undefined
  for (const change of changes) {
    const refused = await refuse(change)
    if (refused?.reason === 'mismatch') return refused
    found ??= refused
  }
  return found
}

const changeTime = (time: string, toleranceSeconds: number): Change => ({
  change: 'time',
  time: new Date(Date.parse(time) + 2 * toleranceSeconds * 1000 + 3_600_000).toISOString(),
})

function removeSignature(
  { headers, url }: AcceptedVector,
  signature: CatalogueService['signature'],
  unsigned: { readonly body: string },
): Change {
  if (signature.field !== undefined) return { change: 'signature', body: unsigned.body }
  if (signature.parameter !== undefined) {
    const unsignedUrl = new URL(url)
    unsignedUrl.searchParams.delete(signature.parameter)
    return { change: 'signature', url: unsignedUrl.href }
  }
  const isSignature = (name: string) => /\{(?:signature|token|secret)\b/.test(signature.headers?.[name] ?? '')
  const others = Object.entries(headers).filter(([name]) => !isSignature(name))
  return { change: 'signature', headers: Object.fromEntries(others) }
}
