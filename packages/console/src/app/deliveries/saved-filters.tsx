import { useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { Icon } from '../layout/icons.tsx'
import { Button } from '../ui/button.tsx'
import { DialogBox } from '../ui/dialog.tsx'
import { TextField } from '../ui/fields.tsx'
import { useSavedFilters } from './use-saved-filters.ts'

/** Opens the filters that the operator saved in this browser. */
export function SavedFilters() {
  const [isOpen, setOpen] = useState(false)
  const [name, setName] = useState('')
  const [location, navigate] = useLocation()
  const query = useSearch()
  const { saved, save, remove } = useSavedFilters()
  const close = () => {
    setOpen(false)
  }
  return (
    <>
      <Button
        onPress={() => {
          setOpen(true)
        }}
      >
        <Icon name="star" /> Saved filters
      </Button>
      <DialogBox title="Saved filters" isOpen={isOpen} onClose={close}>
        <div className="dialog-body">
          {saved.length === 0 && <p className="muted">No filter is saved in this browser.</p>}
          <ul className="saved">
            {saved.map((one) => (
              <li key={one.name}>
                <Button
                  look="quiet"
                  onPress={() => {
                    navigate(`${location}?${one.query}`)
                    close()
                  }}
                >
                  {one.name}
                </Button>
                <Button
                  look="quiet"
                  aria-label={`Delete ${one.name}`}
                  onPress={() => {
                    remove(one.name)
                  }}
                >
                  <Icon name="trash" />
                </Button>
              </li>
            ))}
          </ul>
          {query !== '' && (
            <form
              className="inline-form"
              onSubmit={(event) => {
                event.preventDefault()
                if (name.trim() === '') return
                save({ name: name.trim(), query })
                setName('')
              }}
            >
              <TextField label="Save the current filters as" value={name} onChange={setName} maxLength={60} />
              <Button type="submit" look="primary">
                Save
              </Button>
            </form>
          )}
        </div>
        <div className="dialog-actions">
          <Button onPress={close}>Close</Button>
        </div>
      </DialogBox>
    </>
  )
}
