import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { SelectField, TextField, type Choice } from '../ui/fields.tsx'
import { Icon } from '../layout/icons.tsx'
import { Untrusted } from '../ui/text.tsx'
import { fromLocalTime, toLocalTime, type DeliveryFilter } from './delivery-filters.ts'
import type { Filters } from './use-filters.ts'
import { usePicks } from './use-picks.ts'

const any = 'any'
const shownAtFirst = 4

/** The fields of the filters. A field applies when the operator leaves it or presses Enter. */
export function FilterBar({
  filters,
  values,
  onChange,
}: {
  readonly filters: readonly DeliveryFilter[]
  readonly values: Filters
  readonly onChange: (change: Filters) => void
}) {
  const [showsAll, setShowsAll] = useState(false)
  const shown = filters.filter(
    ({ name }, index) => showsAll || index < shownAtFirst || values[name] !== undefined,
  )
  const chosen = filters.filter(({ name }) => values[name] !== undefined)
  return (
    <section className="filters" aria-label="Filters">
      <div className="filter-fields">
        {shown.map((filter) => (
          <FilterField key={filter.name} filter={filter} values={values} onChange={onChange} />
        ))}
        <div className="filter-more">
          {filters.length > shownAtFirst && (
            <Button
              look="quiet"
              aria-expanded={showsAll}
              onPress={() => {
                setShowsAll(!showsAll)
              }}
            >
              {showsAll ? 'Fewer filters' : 'More filters'}
            </Button>
          )}
        </div>
      </div>
      {chosen.length > 0 && (
        <ul className="chips" aria-label="Active filters">
          {chosen.map(({ name, label }) => (
            <li key={name} className="chip">
              <span>
                {label}: <Untrusted text={values[name] ?? ''} limit={60} />
              </span>
              <Button
                look="quiet"
                aria-label={`Remove the filter ${label}`}
                onPress={() => {
                  onChange({ [name]: '' })
                }}
              >
                <Icon name="close" />
              </Button>
            </li>
          ))}
          <li>
            <Button
              look="quiet"
              onPress={() => {
                onChange(Object.fromEntries(chosen.map(({ name }) => [name, ''])))
              }}
            >
              Clear all
            </Button>
          </li>
        </ul>
      )}
    </section>
  )
}

interface FieldProps {
  readonly filter: DeliveryFilter
  readonly values: Filters
  readonly onChange: (change: Filters) => void
}

function FilterField({ filter, values, onChange }: FieldProps) {
  const { name, label, placeholder, isTime = false } = filter
  const value = values[name]
  const picks = usePicks(filter.picks, values)
  const choices = filter.choices?.map((id) => ({ id, label: id })) ?? toChoices(filter, picks, value)
  if (choices) {
    return (
      <SelectField
        label={label}
        choices={[{ id: any, label: 'Any' }, ...choices]}
        value={value ?? any}
        onChange={(id) => {
          onChange({ [name]: id === any ? '' : id })
        }}
      />
    )
  }
  const shown = isTime ? toLocalTime(value) : (value ?? '')
  const apply = (text: string) => {
    if (text !== shown) onChange({ [name]: isTime ? fromLocalTime(text) : text.trim() })
  }
  return (
    <TextField
      // A filter may change elsewhere, such as by the button "Clear all".
      key={shown}
      label={label}
      defaultValue={shown}
      type={isTime ? 'datetime-local' : name === 'text' ? 'search' : 'text'}
      suggestions={filter.suggestions?.map((id) => ({ id, label: id })) ?? picks}
      {...(placeholder !== undefined && { placeholder })}
      onInput={({ nativeEvent, currentTarget }) => {
        // The operator chose a suggestion.
        if (nativeEvent instanceof InputEvent && nativeEvent.inputType === 'insertReplacementText')
          apply(readInput(currentTarget))
      }}
      onBlur={({ currentTarget }) => {
        apply(readInput(currentTarget))
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') apply(readInput(event.target))
      }}
    />
  )
}

/** The providers are few, so that they fit into a list of choices. */
function toChoices(
  { picks: kind }: DeliveryFilter,
  picks: readonly Choice[],
  value: string | undefined,
): readonly Choice[] | undefined {
  if (kind !== 'provider' || picks.length === 0) return undefined
  const isKnown = value === undefined || picks.some(({ id }) => id === value)
  return isKnown ? picks : [...picks, { id: value, label: value }]
}

const readInput = (element: EventTarget): string => (element instanceof HTMLInputElement ? element.value : '')
