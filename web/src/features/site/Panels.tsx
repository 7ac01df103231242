import { useRef } from 'react'
import { SearchPanel } from '#/features/search/SearchPanel'
import { Dialog } from '#/ui/Dialog'
import { setPanel, usePanel } from './chrome'
import { ProfilePanel } from './ProfilePanel'
import { SideMenu } from './SideMenu'
import { useSite } from './site'

interface Props {
  path: string
  /** The bar is small: what is open covers the page and locks its scrolling. */
  isSmall: boolean
}

const close = (): void => setPanel(null)

/** What the bar's buttons open; in a piece of its own, which comes when one of them is near. */
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
