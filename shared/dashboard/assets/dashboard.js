/* What pages do beyond links and forms, which work without it. */

for (const button of document.querySelectorAll('button[data-copies]')) {
  const text = document.getElementById(button.dataset.copies);
  const announcement = button.nextElementSibling;
  button.hidden = false;
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(text.textContent.trim());
      announcement.textContent = 'Copied';
    } catch {
      // Without the permission to write, the text is at least selected for whoever copies by hand.
      window.getSelection().selectAllChildren(text);
      announcement.textContent = 'Selected: copy it with your keyboard';
    }
  });
}

const notice = document.querySelector('[data-announced]');
if (notice !== null) {
  notice.focus();
  // A reload must not tell again what was done once.
  const address = new URL(window.location.href);
  if (address.searchParams.has('done')) {
    address.searchParams.delete('done');
    window.history.replaceState(null, '', address);
  }
}
