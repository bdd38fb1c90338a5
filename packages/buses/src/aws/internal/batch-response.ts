import type { PublishResult } from '@sallyport/webhooks'
import { timedOut, toEntryFailure } from './failure.ts'

interface BatchResponse {
  readonly Successful?: readonly { readonly Id?: string | undefined }[] | undefined
  readonly Failed?: readonly FailedEntry[] | undefined
}

interface FailedEntry {
  readonly Id: string | undefined
  readonly Code: string | undefined
  readonly Message?: string | undefined
}

/** Reads the result of each entry from the response to a batch of SQS or SNS. */
export function readBatchResponse(
  service: string,
  entries: readonly { readonly Id: string }[],
  { Successful = [], Failed = [] }: BatchResponse,
): readonly PublishResult[] {
  const taken = new Set(Successful.map(({ Id }) => Id))
  const failed = new Map(Failed.map(({ Id, Code, Message }) => [Id, toEntryFailure(service, Code, Message)]))
  return entries.map(({ Id }) => (taken.has(Id) ? { ok: true } : (failed.get(Id) ?? timedOut)))
}
