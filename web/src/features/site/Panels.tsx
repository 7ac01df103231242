import { useRef } from 'react'
import { SearchPanel } from '#/features/search/SearchPanel'
import { Dialog } from '#/ui/Dialog'
import { setPanel, usePanel } from './chrome'
import { ProfilePanel } from './ProfilePanel'
import { SideMenu } from './SideMenu'
import { useSite } from './site'

interface Props {
  path: string
  /** With the small bar an open panel covers the page and locks its scrolling. */
  isSmall: boolean
}

const close = (): void => setPanel(null)

/** The panels of the bar's buttons, in a chunk that is fetched in idle time, or when the pointer comes near a button. */
export default function Panels({ path, isSmall }: Props) {
  const site = useSite()
  const panel = usePanel()
  const searchBox = useRef<HTMLInputElement>(null)
  return (
    <>
      <Dialog
        kind="drawer"
        title={site.name}
        isTitleHidden={!isSmall}
        isModal={isSmall}
        isOpen={panel === 'menu'}
        onClose={close}
      >
        <SideMenu path={path} />
      </Dialog>
      <Dialog
        kind="panel"
        title="Your account"
        isTitleHidden
        isModal={isSmall}
        isOpen={panel === 'profile'}
        onClose={close}
      >
        <ProfilePanel />
      </Dialog>
      <Dialog
        kind="sheet"
        title="What cha looking for?"
        isModal={isSmall}
        isOpen={panel === 'search'}
        onClose={close}
        initialFocus={searchBox}
      >
        <SearchPanel box={searchBox} onClose={close} />
      </Dialog>
    </>
  )
}
