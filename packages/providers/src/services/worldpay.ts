import { defineService, hmac, type ServiceFacts, type SignatureLocation } from '@sallyport/webhooks'

const name = 'event-signature'
const signature = /^\d{1,10}\/SHA256\/(\w+)$/
const maximumSignatures = 8

/** A comma list of `<number of the secret>/SHA256/<signature>`. */
const header: SignatureLocation = {
  names: [name],
  read({ headers }) {
    const value = headers.get(name)
    if (value === null) return 'missing'
    const items = value.split(/, ?/, maximumSignatures + 1)
    const signatures = items.map((item) => signature.exec(item)?.[1]).filter((text) => text !== undefined)
    return signatures.length === items.length && items.length <= maximumSignatures
      ? { signatures }
      : 'malformed'
  },
  write: (text) => ({ [name]: `1/SHA256/${text}` }),
}

/** Worldpay: events of the Access APIs. */
export const worldpay = defineService({
  name: 'worldpay',
  createsSecret: true,
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header }),
  kind: 'eventDetails.type',
  subject: 'eventDetails.transactionReference',
  time: 'eventTimestamp',
})

export const facts: ServiceFacts = {
  title: 'Worldpay',
  docs: 'https://developer.worldpay.com/products/access/events/signature/',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://developer.worldpay.com/products/access/events/signature/',
    'https://developer.worldpay.com/docs/access-worldpay/events/',
    'https://docs.worldpay.com/access/products/events/openapi/payment',
  ],
  setup: [
    'Ask the Implementation Manager to add the address and to enable the `Event-Signature` header.',
    'The secret is the shared secret, which the Implementation Manager sends.',
  ],
  retries:
    'for one week, with delays that grow from 15 minutes to 2 hours; an event can block the later ones',
  traps: [
    'Without the `Event-Signature` header, which is an option, deliveries are refused.',
    'The provider tries each secret and ignores the number of the secret.',
    'The documentation does not show the case of the hexadecimal signature: lower case is accepted.',
  ],
}
