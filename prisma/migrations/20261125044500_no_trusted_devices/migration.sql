-- Devices that asked for no second factor. No page has offered them, and the service makes none any more.
DELETE FROM person_verifications WHERE identifier LIKE 'trust-device-%';
