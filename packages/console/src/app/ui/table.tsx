import type { ReactNode } from 'react'

interface Column {
  readonly label: ReactNode
  /** Numbers are at the right; the name of a hidden one is for screen readers only. */
  readonly kind?: 'number' | 'check' | 'hidden'
}

/** The column of the buttons of each row. */
export const actionsColumn: Column = { label: 'Actions', kind: 'hidden' }

/** Returns a column of numbers. */
export const numberColumn = (label: ReactNode): Column => ({ label, kind: 'number' })

/** A table. On phones each row becomes a card. */
export function Table({
  caption,
  columns,
  children,
}: {
  /** The name of the table, for screen readers only. */
  readonly caption: string
  /** A column, or only its label; a column that is false is absent. */
  readonly columns: readonly (Column | string | false)[]
  /** The rows. */
  readonly children: ReactNode
}) {
  return (
    <div className="table-frame">
      <table className="table table-cards">
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>{columns.map((column, index) => column !== false && <Head key={index} column={column} />)}</tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  )
}

function Head({ column }: { readonly column: Column | string }) {
  const { label, kind } = typeof column === 'string' ? { label: column } : column
  return (
    <th scope="col" className={kind === undefined || kind === 'hidden' ? undefined : `cell-${kind}`}>
      {kind === 'hidden' ? <span className="visually-hidden">{label}</span> : label}
    </th>
  )
}
