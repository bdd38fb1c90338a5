import type { SignatureScheme, Verification } from '@sallyport/webhooks'
import { publicKeyCases, schemeCases } from '../../../../webhooks/test/scheme-cases.ts'
import type { SchemeCase } from '../../../../webhooks/test/scheme-suite.ts'
import type { SignedSpecimen, Specimens } from '../specimens.ts'
import { expectEqual, type Case } from './case.ts'
import { body, createDelivery, now, toJson } from './fixed.ts'

type Headers = Readonly<Record<string, string>>

/** Signs and verifies with every scheme, and verifies the signatures of another runtime. */
export async function schemeSuite({ signatures }: Specimens): Promise<readonly Case[]> {
  const all = [...(await schemeCases()), ...(await publicKeyCases())]
  expectEqual(
    all.map(({ name }) => name),
    signatures.map(({ name }) => name),
  )
  return all.flatMap((one, index): readonly Case[] => [
    { area: 'webhooks', name: `signs and verifies ${one.name}`, run: () => expectSignaturesToVerify(one) },
    {
      area: 'webhooks',
      name: `verifies ${one.name} of another runtime`,
      run: () => expectSpecimenToVerify(one.scheme, signatures[index] as SignedSpecimen),
    },
  ])
}

async function expectSignaturesToVerify({
  scheme,
  keys,
  others,
  toleranceMs,
  coversBody = true,
}: SchemeCase) {
  const headers = await scheme.sign(createDelivery({}, body), keys.sign, now)
  const verified = async (secrets: readonly string[], given = body, at = now, proof: Headers = headers) =>
    (await verify(scheme, proof, secrets, given, at)).verified
  expectEqual(await verified([keys.verify]), true)
  expectEqual(await verified([others.verify, keys.verify]), true)
  expectEqual(await verified([others.verify]), false)
  expectEqual(await verified([keys.verify], body, now, {}), false)
  if (coversBody) expectEqual(await verified([keys.verify], body.toReversed()), false)
  if (toleranceMs !== undefined)
    expectEqual(await verified([keys.verify], body, now + toleranceMs + 1000), false)
}

async function expectSpecimenToVerify(
  scheme: SignatureScheme,
  { keys, headers, repeatable }: SignedSpecimen,
) {
  expectEqual((await verify(scheme, headers, [keys.verify], body, now)).verified, true)
  if (repeatable) {
    expectEqual(toJson(await scheme.sign(createDelivery({}, body), keys.sign, now)), toJson(headers))
  }
}

const verify = async (
  scheme: SignatureScheme,
  headers: Headers,
  secrets: readonly string[],
  content: Uint8Array,
  at: number,
): Promise<Verification> => scheme.verify(createDelivery(headers, content), secrets, at)
