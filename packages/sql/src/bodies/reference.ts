import { randomBytes } from 'node:crypto'

/** No JSON, no Zstandard frame and no sealed value starts with these bytes. */
const mark = Buffer.of(1, 0, 1)

/** The length of a reference to an object, which stands in the place of its bytes. */
export const referenceBytes = mark.byteLength + 16

export const createReference = (): Uint8Array => Buffer.concat([mark, randomBytes(16)])

export const isReference = (bytes: Uint8Array): boolean =>
  bytes.byteLength === referenceBytes && mark.every((byte, index) => bytes[index] === byte)

/** Returns the key of an object in the store. */
export const toKey = (reference: Uint8Array): string =>
  Buffer.from(reference.subarray(mark.byteLength)).toString('hex')
