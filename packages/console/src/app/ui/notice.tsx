import type { ReactNode } from 'react'
import { ApiError } from '../api/errors.ts'
import { Button } from './button.tsx'
import { Untrusted } from './text.tsx'

/** A message in the page. */
export function Notice({
  tone = 'info',
  children,
}: {
  readonly tone?: 'info' | 'warn' | 'bad'
  readonly children: ReactNode
}) {
  return (
    <div className={`notice notice-${tone}`} role={tone === 'bad' ? 'alert' : 'status'}>
      {children}
    </div>
  )
}

/** The message of a failed request, with a button to repeat the request. */
export function ErrorNotice({
  error,
  onRetry,
}: {
  readonly error: unknown
  readonly onRetry?: () => unknown
}) {
  return (
    <Notice tone="bad">
      <p>
        <Untrusted text={describeError(error)} />
      </p>
      {error instanceof ApiError && (
        <p className="muted">
          {error.code}
          {error.requestId !== undefined && `, request ${error.requestId}`}
        </p>
      )}
      {onRetry && (
        <Button
          onPress={() => {
            onRetry()
          }}
        >
          Try again
        </Button>
      )}
    </Notice>
  )
}

/** Describes an error with the fields that caused it. */
function describeError(error: unknown): string {
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : 'Something failed'
  const details = error.details.map(({ field, message }) =>
    field === undefined ? message : `${field}: ${message}`,
  )
  return [error.message, ...details].join(' · ')
}

/** Says that a list is empty, and what would fill it. */
export function Empty({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className="empty">
      <p className="empty-title">{title}</p>
      {children}
    </div>
  )
}

export function Loading({ label = 'Loading' }: { readonly label?: string }) {
  return (
    <p className="loading" role="status">
      <span className="spinner" aria-hidden="true" /> {label}…
    </p>
  )
}
