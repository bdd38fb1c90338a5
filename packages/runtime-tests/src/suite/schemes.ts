import type { SignatureScheme, Verification } from '@sallyport/webhooks'
import { publicKeyCases, schemeCases } from '../../../webhooks/test/scheme-cases.ts'
import type { SchemeCase } from '../../../webhooks/test/scheme-suite.ts'
import type { SignedSpecimen, Specimens } from '../specimens.ts'
import { equal, type Case } from './case.ts'
import { asText, body, deliveryOf, now } from './fixed.ts'

type Headers = Readonly<Record<string, string>>

/** Signs and verifies with every scheme, and verifies what another runtime has signed. */
export async function schemeSuite({ signatures }: Specimens): Promise<readonly Case[]> {
  const all = [...(await schemeCases()), ...(await publicKeyCases())]
  equal(
    all.map(({ name }) => name),
    signatures.map(({ name }) => name),
  )
  return all.flatMap((one, index): readonly Case[] => [
    { area: 'webhooks', name: `signs and verifies ${one.name}`, run: () => signsAndVerifies(one) },
    {
      area: 'webhooks',
      name: `verifies ${one.name} of another runtime`,
      run: () => verifiesSpecimen(one.scheme, signatures[index] as SignedSpecimen),
    },
  ])
}

async function signsAndVerifies({ scheme, keys, others, toleranceMs, coversBody = true }: SchemeCase) {
  const headers = await scheme.sign(deliveryOf({}, body), keys.sign, now)
  const verified = async (secrets: readonly string[], given = body, at = now, proof: Headers = headers) =>
    (await verify(scheme, proof, secrets, given, at)).verified
  equal(await verified([keys.verify]), true)
  equal(await verified([others.verify, keys.verify]), true)
  equal(await verified([others.verify]), false)
  equal(await verified([keys.verify], body, now, {}), false)
  if (coversBody) equal(await verified([keys.verify], body.toReversed()), false)
  if (toleranceMs !== undefined) equal(await verified([keys.verify], body, now + toleranceMs + 1000), false)
}

async function verifiesSpecimen(scheme: SignatureScheme, { keys, headers, repeatable }: SignedSpecimen) {
  equal((await verify(scheme, headers, [keys.verify], body, now)).verified, true)
  if (repeatable) {
    equal(asText(await scheme.sign(deliveryOf({}, body), keys.sign, now)), asText(headers))
  }
}

const verify = async (
  scheme: SignatureScheme,
  headers: Headers,
  secrets: readonly string[],
  content: Uint8Array,
  at: number,
): Promise<Verification> => scheme.verify(deliveryOf(headers, content), secrets, at)
