import { withDeadline } from '@sallyport/internal/deadline'
import { callHook } from '@sallyport/internal/promises'
import type { LeaseAge } from '../ports/lease-age.ts'
import type { DispatcherInbox } from '../ports/ports.ts'
import { LeaseLostError, type Unit } from './unit.ts'

interface LeasesOptions {
  readonly inbox: Pick<DispatcherInbox, 'renew'>
  readonly leaseMs: number
  readonly startLease: () => LeaseAge
  readonly onError: ((error: unknown) => unknown) | undefined
}

/** The units that this process holds. */
export interface Leases {
  readonly held: ReadonlySet<Unit>
  readonly bytes: number
  add(unit: Unit): void
  /** Forgets a unit whose lease has ended. */
  delete(unit: Unit): void
  /** Ends a unit whose lease another process may have. */
  lose(unit: Unit): void
  /** Renews the leases that are older than a third of their duration, in one batch. */
  renew(): Promise<void>
}

export function createLeases({ inbox, leaseMs, startLease, onError }: LeasesOptions): Leases {
  const held = new Set<Unit>()
  let bytes = 0
  let renewing = false

  function remove(unit: Unit): boolean {
    const had = held.delete(unit)
    if (had) bytes -= unit.bytes
    return had
  }

  function lose(unit: Unit): void {
    if (remove(unit)) unit.ending.end(new LeaseLostError())
  }

  async function renewOld(): Promise<void> {
    const old = [...held].filter(({ leaseAge }) => leaseAge() >= leaseMs / 3)
    if (old.length === 0 || inbox.renew === undefined) return
    const leaseAge = startLease()
    const leases = old.map((unit) => unit.held)
    const valid = await withDeadline(leaseMs / 3, inbox.renew(leases, { leaseMs }))
    for (const [index, unit] of old.entries()) {
      if (valid[index] === true) unit.leaseAge = leaseAge
      else lose(unit)
    }
  }

  return {
    held,
    get bytes() {
      return bytes
    },
    add(unit) {
      held.add(unit)
      bytes += unit.bytes
    },
    delete: remove,
    lose,
    async renew() {
      if (renewing) return
      renewing = true
      try {
        await renewOld()
      } catch (error) {
        callHook(onError, error)
      }
      renewing = false
      for (const unit of held) if (unit.leaseAge() > leaseMs) lose(unit)
    },
  }
}
