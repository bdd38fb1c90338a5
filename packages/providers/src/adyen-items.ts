import { hexSecret, hmac, jsonField, jsonSignature, type SignatureScheme } from '@sallyport/webhooks'

/** The most items that a delivery of Adyen has. */
const maximumItems = 100

const names = [
  'pspReference',
  'originalReference',
  'merchantAccountCode',
  'merchantReference',
  'amount.value',
  'amount.currency',
  'eventCode',
  'success',
]

/**
 * Joins the signed members of an item by colons. The reference of the merchant is the only one that can contain a colon: a
 * captured item could otherwise get other references with the same signature.
 */
function joinSigned(body: Uint8Array, item: string): string | undefined {
  const values = names.map((name) => [name, jsonField(body, `${item}.${name}`) ?? ''] as const)
  const isAmbiguous = values.some(([name, value]) => name !== 'merchantReference' && value.includes(':'))
  return isAmbiguous ? undefined : values.map(([, value]) => value).join(':')
}

/** The signature of one item. */
const items = Array.from({ length: maximumItems }, (_, index) => {
  const item = `notificationItems.${index}.NotificationRequestItem`
  return hmac({
    algorithm: 'sha256',
    encoding: 'base64',
    header: jsonSignature(`${item}.additionalData.hmacSignature`),
    key: hexSecret(),
    content: ({ body }) => [joinSigned(body, item)],
    covers: names,
  })
})
const [first] = items as [SignatureScheme]

/** The signatures of the items of a standard webhook. A delivery is verified only if each of its items is. */
export const adyenItems: SignatureScheme = {
  ...first,
  async verify(delivery, secrets, now) {
    const count = countItems(delivery.body)
    if (count === 0 || count > maximumItems) return { verified: false, reason: 'malformed' }
    for (const item of items.slice(0, count)) {
      const verification = await item.verify(delivery, secrets, now)
      if (!verification.verified) return verification
    }
    return { verified: true, body: delivery.body }
  },
  async signBody(delivery, secret, now) {
    let { body } = delivery
    for (const item of items.slice(0, countItems(body))) {
      body = (await item.signBody?.({ ...delivery, body }, secret, now)) ?? body
    }
    return body
  },
}

function countItems(body: Uint8Array): number {
  const has = (index: number) =>
    jsonField(body, `notificationItems.${index}.NotificationRequestItem.eventCode`) !== undefined
  let count = 0
  while (count <= maximumItems && has(count)) count += 1
  return count
}
