/** Excludes characters that a path or an event id would have to escape. */
const endpointIdPattern = /^[\w-]{1,64}$/

/** Reports whether a text can be the id of an endpoint: 1 to 64 letters, digits, `_` and `-`. */
export const isEndpointId = (id: string): boolean => endpointIdPattern.test(id)

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** 62 to the power of 22 is more than 2 to the power of 130. */
const idLength = 22
/** The largest multiple of 62 in a byte. A larger byte would favor some characters. */
const byteLimit = 248

/** Creates an unguessable id of an endpoint: 22 random letters and digits, which are 130 bits. */
export function createEndpointId(): string {
  let id = ''
  while (id.length < idLength) {
    for (const byte of crypto.getRandomValues(new Uint8Array(idLength))) {
      if (byte < byteLimit && id.length < idLength) id += alphabet.charAt(byte % alphabet.length)
    }
  }
  return id
}
