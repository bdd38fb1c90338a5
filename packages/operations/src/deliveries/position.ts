import { SallyportError } from '@sallyport/errors'
import type { CursorCodec } from '@sallyport/rest'
import type { DeliveryPosition } from '@sallyport/webhooks'

/** Encodes the start of the next batch of a request with a filter. */
export const encodePosition = (
  cursors: CursorCodec,
  { receivedAt, sequence }: DeliveryPosition,
  binding: string,
): string => cursors.encode({ at: 'after', position: [receivedAt, sequence] }, binding)

/** @throws SallyportError 400 `VALIDATION_ERROR` for a cursor of another filter */
export function decodePosition(cursors: CursorCodec, cursor: string, binding: string): DeliveryPosition {
  const anchor = cursors.decode(cursor, binding)
  if (anchor === undefined || !('position' in anchor)) {
    throw new SallyportError('VALIDATION_ERROR', 'The request is not valid', {
      details: [
        {
          code: 'INVALID_CURSOR',
          field: 'cursor',
          in: 'body',
          message: 'Is not `next` of a response for this filter',
        },
      ],
    })
  }
  const [receivedAt, sequence] = anchor.position
  return { receivedAt: Number(receivedAt), sequence: Number(sequence) }
}
