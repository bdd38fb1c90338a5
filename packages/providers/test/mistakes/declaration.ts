import { inService, type Mistake } from './mistake.ts'

/** Mistakes in the signature, and in the places of the facts of an event. */
export const declarationMistakes: readonly Mistake[] = [
  // The signature.
  {
    title: 'the wrong encoding',
    make: inService(`encoding: 'hex'`, `encoding: 'base64'`),
    message: /accepts a signature of other code/,
  },
  {
    title: 'an unknown encoding',
    make: inService(`encoding: 'hex'`, `encoding: 'hexadecimal'`),
    message: /encoding must be hex, hex-upper, base64 or base64url/,
  },
  {
    title: 'an unknown algorithm',
    make: inService(`algorithm: 'sha256'`, `algorithm: 'sha-256'`),
    message: /algorithm must be md5, sha1, sha256 or sha512/,
  },
  {
    title: 'the wrong header',
    make: inService(`header: 'acme-signature'`, `header: 'x-acme-signature'`),
    message: /accepts a signature of other code/,
  },
  {
    title: 'the wrong prefix',
    make: inService(`prefix: 'v1='`, `prefix: 'sha256='`),
    message: /accepts a signature of other code/,
  },
  {
    title: 'a header in upper case',
    make: inService(`header: 'acme-signature'`, `header: 'Acme-Signature'`),
    message: /The header Acme-Signature is not in lower case/,
  },
  {
    title: 'a signed time in the wrong unit',
    make: inService('signedTime({', `signedTime({ unit: 'ms',`),
    message: /accepts a signature of other code/,
  },
  {
    title: 'a signed time without its content',
    make: inService(/ *content: .*\n/, ''),
    message: /content must have the time or id/,
  },
  {
    title: 'content without the body',
    make: inService(`[timestamp, '.', body]`, '[timestamp]'),
    message: /accepts a signature of other code/,
  },
  // The events.
  {
    title: 'an id that no sample has',
    make: inService(`id: 'id'`, `id: 'event_id'`),
    message: /finds each source of its id.*event_id/s,
  },
  {
    title: 'a time that no sample has',
    make: inService(`time: 'created_at'`, `time: 'createdAt'`),
    message: /finds each source of its id, subject and time.*createdAt/s,
  },
  {
    title: 'a list of events that no sample has',
    make: inService(`kind: 'type'`, `kind: 'type',\n  events: 'items.*'`),
    message: /`events` matches no sample: items\.\*/,
  },
  {
    title: 'the time of receipt as the id',
    make: inService(`id: 'id'`, 'id: (_, { receivedAt }) => receivedAt'),
    message: /same ids to a redelivery/,
  },
  {
    title: 'an unsigned header as the id',
    make: inService(`id: 'id'`, `id: { header: 'x-request-id' }`),
    message: /The header x-request-id of acme is not signed and cannot be an id/,
  },
  {
    title: 'the kind of the entity instead of the event',
    make: inService(`kind: 'type'`, `kind: 'object'`),
    message: /passes each sample as events of its kinds/,
  },
  {
    title: 'a kind that no sample has',
    make: inService(`kind: 'type'`, `kind: 'event.type'`),
    message: /passes each sample as events of its kinds/,
  },
  {
    title: 'a member of each attempt that no sample has',
    make: inService(`id: 'id',\n`, `ignore: ['attempt'],\n`),
    message: /finds each source.*attempt/s,
  },
]
