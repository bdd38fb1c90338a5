import { hash } from 'node:crypto'

/** Plain text of one length for every id: part of a key, or a job's id. */
export function digestOf(id: string): string {
  // As JSON, because halves of surrogate pairs would become one character as UTF-8.
  return hash('sha256', JSON.stringify(id), 'hex')
}
